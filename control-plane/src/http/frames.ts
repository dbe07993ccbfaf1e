import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/**
 * Pages shown in frames of the panel because their content must not run in the panel's origin. Each
 * has its own policy, narrower than the panel's or allowing one extra source.
 */
interface Frame {
  readonly script: string
  /** Directives in addition to the common ones. */
  readonly policy: readonly string[]
}

/**
 * Renders the HTML of a mail and reports its height. It has an opaque origin and can load nothing.
 */
const MAIL: Frame = {
  script: `
const tell = () => parent.postMessage({ height: document.documentElement.offsetHeight }, '*')
addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data?.html !== 'string') return
  const mail = new DOMParser().parseFromString(data.html, 'text/html')
  document.head.replaceChildren(...mail.head.children)
  document.body.replaceWith(mail.body)
  for (const link of document.links) link.addEventListener('click', (event) => event.preventDefault())
  new ResizeObserver(tell).observe(document.documentElement)
  tell()
})
parent.postMessage({ ready: true }, '*')
`,
  policy: ["style-src 'unsafe-inline'", 'img-src data:', 'sandbox allow-scripts'],
}

/** A provider's captcha; the site key is in the fragment of the address. */
const captcha = (
  source: string,
  name: 'turnstile' | 'hcaptcha',
  policy: readonly string[],
): Frame => ({
  script: `
const tell = (message) => parent.postMessage(message, location.origin)
const answer = (text) => tell({ answer: text, height: 78 })
const failed = () => tell({ failed: true })
const place = document.body.appendChild(document.createElement('div'))
const program = document.createElement('script')
program.src = '${source}'
program.onload = () =>
    ${name}.render(place, {
      sitekey: decodeURIComponent(location.hash.slice(1)),
      callback: answer,
      'expired-callback': () => answer(''),
      'error-callback': failed,
      // The challenge opens above the box and needs space.
      'open-callback': () => tell({ height: 620 }),
      'close-callback': () => tell({ height: 78 }),
    })
program.onerror = failed
document.head.append(program)
`,
  policy,
})

const FRAMES: Readonly<Record<string, Frame>> = {
  mail: MAIL,
  turnstile: captcha(
    'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
    'turnstile',
    [
      'script-src-elem https://challenges.cloudflare.com',
      'frame-src https://challenges.cloudflare.com',
      'connect-src https://challenges.cloudflare.com',
      "style-src 'unsafe-inline'",
    ],
  ),
  hcaptcha: captcha('https://js.hcaptcha.com/1/api.js?render=explicit', 'hcaptcha', [
    'script-src-elem https://hcaptcha.com https://*.hcaptcha.com',
    'frame-src https://hcaptcha.com https://*.hcaptcha.com',
    'connect-src https://hcaptcha.com https://*.hcaptcha.com',
    "style-src 'unsafe-inline' https://hcaptcha.com https://*.hcaptcha.com",
  ]),
}

const hashOf = (script: string): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** Allows our script by its hash, also in directives that list further script sources. */
function policyOf({ script, policy }: Frame): string {
  const own = hashOf(script)
  const further = policy.map((one) => (one.startsWith('script-src-elem ') ? `${one} ${own}` : one))
  return [
    "default-src 'none'",
    `script-src ${own}`,
    ...further,
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

const pageOf = ({ script }: Frame): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Frame of the panel</title></head><body><script>${script}</script></body></html>`

/** Serves the panel's frames under /frames/. */
export function serveFrames(app: FastifyInstance): void {
  for (const [name, frame] of Object.entries(FRAMES)) {
    const policy = policyOf(frame)
    const page = pageOf(frame)
    app.get(`/frames/${name}`, async (_request, reply) =>
      reply
        .header('content-security-policy', policy)
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(page),
    )
  }
}
