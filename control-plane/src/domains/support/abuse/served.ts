import { paths } from '@lodge/shared/panel-paths.ts'
import type { ServedPages } from '../../../http/served-page.ts'

/** Where the form was at first; links to it are out in the world. */
const FORMER = '/report-abuse'

/** Leads to the form from its former address. */
export const formerAbusePages = (): ServedPages => ({
  [FORMER]: async (_request, reply) => reply.redirect(paths.reportAbuse, 301),
})
