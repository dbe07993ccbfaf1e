import { given, type Raw, text } from '../../routes/search.ts'

/** Which jobs are shown: all, the open ones, or those that failed. */
const SHOWN = ['open', 'failed'] as const
type Shown = (typeof SHOWN)[number]

/** Parameters of the list of jobs. */
export const jobsSearch = (raw: Raw) =>
  given({ show: SHOWN.find((name) => name === raw.show), after: text(raw.after) })

/** The same, as a query of the API. */
export const wantedJobs = (show: Shown | undefined) =>
  show === 'open' ? { open: 'true' as const } : show === 'failed' ? { state: show } : {}
