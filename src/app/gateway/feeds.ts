/** The two feeds of a gateway: of what it keeps itself, and of what all gateways on the store keep. */
import { createFeed, type Feed } from '../../admin/index.js';
import { createGroupFeed, type GroupFeedParts } from './group-feed.js';

export interface Feeds {
  /** Told of all that this gateway keeps. */
  readonly feed: Feed;
  /** Of all that gateways on the store keep; the same one where there is no other gateway. */
  readonly liveFeed: Feed;
  readonly kept: Feed['kept'];
  readonly stir: Feed['stir'];
}

/** `group` is null where the gateway is alone. */
export function createFeeds(group: GroupFeedParts | null): Feeds {
  const feed = createFeed();
  const liveFeed = group === null ? feed : createGroupFeed(group);
  const all = new Set([feed, liveFeed]);
  return {
    feed,
    liveFeed,
    kept: (kept) => {
      for (const one of all) one.kept(kept);
    },
    stir: () => {
      for (const one of all) one.stir();
    },
  };
}
