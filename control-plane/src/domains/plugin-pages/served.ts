import { served } from '@lodge/shared/panel-paths.ts'
import type { ServedPages } from '../../http/served-page.ts'
import type { Services } from '../../services.ts'
import { findPage } from '../plugins/index.ts'
import { documentOf, frameAddress } from './document.ts'

/**
 * The documents of pages, for frames of the panel only. They are the same for everybody and contain
 * nothing but the plugin's package, so they need no session.
 */
export const pageFrames = (services: Services): ServedPages => ({
  [served.pluginFrame]: async (request, reply) => {
    const { plugin, page } = request.params as Readonly<Record<'plugin' | 'page', string>>
    const found = await findPage(services, plugin, page)
    if (!found || request.url !== frameAddress(found)) return undefined
    // Opened at the top level, it would be a foreign page at the panel's address.
    const whereto = request.headers['sec-fetch-dest']
    if (whereto !== undefined && whereto !== 'iframe') return undefined
    const { text, policy } = await documentOf(services, found)
    return reply
      .headers({
        'content-security-policy': policy,
        'cache-control': 'private, max-age=31536000, immutable',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-dns-prefetch-control': 'off',
      })
      .type('text/html; charset=utf-8')
      .send(text)
  },
})
