export { ENCODINGS, type Encoding, serversNamed } from './imports/export-files.ts'
export { IMPORT, importFrom, isPanel } from './imports/import.ts'
export { type Outcome, RESULTS } from './imports/run.ts'
