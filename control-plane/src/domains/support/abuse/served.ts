import { paths } from '@lodge/shared/panel-paths.ts'
import type { ServedPages } from '../../../http/served-page.ts'
import type { Services } from '../../../services.ts'
import { takesReports } from './settings.ts'

/** The form's former path, which existing links use. */
const FORMER = '/report-abuse'

/** The page of the form, not found while reports are off, and a redirect from its former path. */
export const abusePages = ({ db, log }: Services): ServedPages => {
  // Without a database, sends the panel's page, which explains that itself.
  const isOff = async (): Promise<boolean> => {
    try {
      return !(await takesReports(db))
    } catch (error) {
      log.warn(
        { err: error },
        'the page of the abuse form is sent without looking whether it is on',
      )
      return false
    }
  }
  return {
    [FORMER]: async (_request, reply) => {
      if (!(await isOff())) return reply.redirect(paths.reportAbuse, 301)
      reply.code(404)
      return undefined
    },
    [paths.reportAbuse]: async (_request, reply) => {
      if (await isOff()) reply.code(404)
      return undefined
    },
  }
}
