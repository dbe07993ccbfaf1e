import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type Page } from 'playwright-core'
import { until } from './must.ts'
import { folderOf, placeAt } from './street.ts'

/** A person's workplace: a browser and a mailbox on a separate machine, away from the panel's. */
export interface Desk extends AsyncDisposable {
  readonly address: string
  /** A browser with an empty profile, for one person. Collects errors in its pages. */
  person(): Promise<Page>
  /** Waits for a mail to this address and returns the links in it. */
  linksMailedTo(address: string): Promise<string[]>
  readonly faults: readonly string[]
}

interface Mail {
  readonly to: readonly string[]
  readonly raw: string
}

const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']

export async function deskAt(address: string): Promise<Desk> {
  await using open = new AsyncDisposableStack()
  const place = await placeAt('desk', address)
  open.defer(() => place.remove())
  const folder = await folderOf('desk')
  open.defer(() => rm(folder, { recursive: true, force: true }))

  const program = path.join(folder, 'chromium')
  await writeFile(program, `#!/bin/sh\nexec ${place.inside.join(' ')} /usr/bin/chromium "$@"\n`)
  await chmod(program, 0o755)
  const browser = await chromium.launch({ executablePath: program, args: FLAGS })
  open.defer(() => browser.close())

  const [file, ...args] = place.inside
  const reader = path.join(import.meta.dirname, 'mail-reader.mjs')
  const mailbox = spawn(file, [...args, process.execPath, reader], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  open.defer(async () => {
    const ended = once(mailbox, 'exit')
    mailbox.kill()
    await ended
  })
  const mails: Mail[] = []
  const lines = createInterface({ input: mailbox.stdout })
  await once(lines, 'line')
  lines.on('line', (line) => mails.push(JSON.parse(line) as Mail))

  const faults: string[] = []
  const kept = open.move()
  return {
    address,
    faults,
    async person() {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`))
      return page
    },
    async linksMailedTo(to) {
      const mail = await until(() => {
        const at = mails.findIndex((one) => one.to.includes(to))
        return at >= 0 && mails.splice(at, 1)[0]
      })
      const links = plain(mail.raw).match(/https?:\/\/[^\s<>"]+/g) ?? []
      if (links.length === 0) throw new Error(`no link in the mail:\n${mail.raw}`)
      return [...new Set(links)]
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** The text of a mail, without its transport encoding. */
function plain(raw: string): string {
  const body = raw.slice(raw.search(/content-type: text\/plain/i))
  const end = body.indexOf('\r\n--')
  return (end < 0 ? body : body.slice(0, end))
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
}
