import type { PageKind } from '../../http/dress.ts'
import type { Services } from '../../services.ts'
import { listPages } from '../plugins/index.ts'

/**
 * Marks the panel's HTML if there are pages of plugins, so that other panels save a request; safe
 * mode has none.
 */
export const markPage = async (
  services: Services,
  html: string,
  kind: PageKind,
): Promise<string> =>
  kind === 'panel' && (await listPages(services)).length > 0
    ? html.replace('</head>', '<meta name="lodge-pages" content="on"></head>')
    : html
