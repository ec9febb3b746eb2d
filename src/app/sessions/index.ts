/** What is done with recorded sessions. */
export {
  EXPORT_FORMATS,
  type ExportFormat,
  type ExportOptions,
  exportSession,
} from './export-session.js';
export { type ImportParts, importRecording } from './import-recording.js';
