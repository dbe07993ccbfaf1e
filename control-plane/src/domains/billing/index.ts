export { ENCODINGS, type Encoding } from './imports/export-files.ts'
export { importFrom, isPanel } from './imports/import.ts'
export { type Outcome, RESULTS } from './imports/run.ts'
