import { given, type Raw, text } from '../../routes/search.ts'

/** What of the jobs is shown: all, those that have not ended, or those that failed. */
const SHOWN = ['open', 'failed'] as const
type Shown = (typeof SHOWN)[number]

/** Parameters of the list of jobs. */
export const jobsSearch = (raw: Raw) =>
  given({ show: SHOWN.find((name) => name === raw.show), after: text(raw.after) })

/** The same, as the API has it. */
export const wantedJobs = (show: Shown | undefined) =>
  show === 'open' ? { open: 'true' as const } : show === 'failed' ? { state: show } : {}
