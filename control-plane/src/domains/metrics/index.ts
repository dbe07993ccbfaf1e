export { createIntake, type Intake } from './ingest.ts'
