/** A bank profile inside of something else: a session, a cassette, a HAR file, a report. */
import * as z from 'zod';
import { bankProfile } from './bank-profile.js';
import { profileProblems } from './check-profile.js';

/** The longest JSON of a profile, in characters; files are read up to as many bytes. */
export const LONGEST_PROFILE = 100_000;

/** Its size is looked at first, so that nothing long is gone through. */
export const notedProfile = z
  .custom<unknown>((given) => (JSON.stringify(given) ?? '').length <= LONGEST_PROFILE, {
    error: 'a bank profile of 100 kB at most is expected',
  })
  .pipe(
    bankProfile.superRefine((profile, { addIssue }) => {
      const [first] = profileProblems(profile);
      if (first !== undefined) addIssue({ code: 'custom', path: [...first.place], message: first.problem });
    }),
  );
