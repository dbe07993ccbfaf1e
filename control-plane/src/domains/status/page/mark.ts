import type { Services } from '../../../services.ts'
import { statusSettings } from '../settings.ts'

/** Tells the panel's page that there is a status page, and that incidents may be announced. */
export const markPage = async ({ db }: Services, html: string): Promise<string> =>
  (await statusSettings(db)).enabled
    ? html.replace('</head>', '<meta name="lodge-status" content="on"></head>')
    : html
