import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Services } from '../../services.ts'
import { type InstalledPage, pageFile } from '../plugins/index.ts'

const sdk = path.resolve(import.meta.dirname, '../../../../plugins/sdk')
/** Included in every page: the look of the panel, and the client that talks to it. */
const LOOK = readFileSync(path.join(sdk, 'lodge-page.css'), 'utf8')
/**
 * Runs in the same script as the plugin's code, before it, and removes APIs that no policy can
 * forbid. It cannot be bypassed: the policy allows only this script, even in nested frames, and it
 * begins with this code.
 */
const CLIENT = readFileSync(path.join(sdk, 'lodge-page.js'), 'utf8')

/** @param hash of the only script that is allowed */
const policyWith = (hash: string): string =>
  [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    // Styles can load only what the page contains.
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'none'",
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    'sandbox allow-scripts',
  ].join('; ')

const sha256 = (text: string, form: 'hex' | 'base64') =>
  createHash('sha256').update(text).digest(form)
const SURROUNDINGS = sha256([LOOK, CLIENT, policyWith('')].join('\n'), 'hex')

/** The URL of a page's document; it changes with the content, so that browsers may cache it. */
export function frameAddress({ page, installed }: InstalledPage): string {
  const { plugin, version } = installed
  const digest = sha256(JSON.stringify([version.sha256, page, SURROUNDINGS]), 'hex').slice(0, 32)
  return panelPath('pluginFrame', { plugin: plugin.id, page: page.id, digest })
}

/** The document of a page, with the policy under which it is served. */
export async function documentOf(
  services: Pick<Services, 'db' | 'places'>,
  one: InstalledPage,
): Promise<{ readonly text: string; readonly policy: string }> {
  const { script, style, body, title } = one.page
  const [own, looks, content] = await Promise.all(
    [script, style, body].map(async (file) =>
      // Normalised as browsers do, because the hash would differ otherwise.
      file === undefined ? '' : (await pageFile(services, one, file)).replaceAll(/\r\n?/g, '\n'),
    ),
  )
  const program = `${CLIENT}\n${own}\n`
  return {
    policy: policyWith(sha256(program, 'base64')),
    text: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title.en)}</title>
<style>${LOOK}</style>
<style>${looks}</style>
</head>
<body>
${content}
<script>${program}</script>
</body>
</html>
`,
  }
}

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`)
