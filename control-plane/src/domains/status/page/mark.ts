import type { PageKind } from '../../../http/dress.ts'
import type { Services } from '../../../services.ts'
import { statusSettings } from '../settings.ts'

/** Marks the panel's HTML if there is a status page, whose incidents may be announced. */
export const markPage = async ({ db }: Services, html: string, kind: PageKind): Promise<string> =>
  kind !== 'document' && (await statusSettings(db)).enabled
    ? html.replace('</head>', '<meta name="lodge-status" content="on"></head>')
    : html
