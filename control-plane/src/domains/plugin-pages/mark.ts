import type { PageKind } from '../../http/dress.ts'
import type { Services } from '../../services.ts'
import { listPages } from '../plugins/index.ts'

/** Tells the panel that there are pages of plugins, so that others need not ask; the safe panel has none. */
export const markPage = async (
  services: Services,
  html: string,
  kind: PageKind,
): Promise<string> =>
  kind === 'panel' && (await listPages(services)).length > 0
    ? html.replace('</head>', '<meta name="lodge-pages" content="on"></head>')
    : html
