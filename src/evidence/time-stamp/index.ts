/** Time stamps of RFC 3161: what reads them is loaded where there are any. */
export {
  type CheckedTimeStamp,
  checkTimeStamp,
  openStampAnchors,
  readTimeStampResponse,
  type StampAnchor,
  type StampState,
  timeStampRequest,
} from './time-stamp.js';
