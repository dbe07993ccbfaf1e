import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type Page } from 'playwright-core'
import { PATIENCE_MS } from '../../run/patience.ts'
import { until } from './must.ts'
import { folderOf, placeAt } from './street.ts'

/** A person's workplace: a browser and a mailbox on a separate machine, away from the panel's. */
export interface Desk extends AsyncDisposable {
  readonly address: string
  /** A browser with an empty profile, for one person. Collects errors in its pages. */
  person(): Promise<Page>
  /** Waits for such a mail to this address and returns the link in it. */
  linkMailedTo(address: string, subject: RegExp): Promise<string>
  readonly faults: readonly string[]
}

interface Mail {
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
}

const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']

export async function deskAt(address: string): Promise<Desk> {
  await using open = new AsyncDisposableStack()
  const place = await placeAt('desk', address)
  open.defer(() => place.remove())
  const folder = await folderOf('desk')
  open.defer(() => rm(folder, { recursive: true, force: true }))

  const program = path.join(folder, 'chromium')
  await writeFile(
    program,
    `#!/bin/sh\nexec ${place.inside.join(' ')} /usr/bin/chromium-headless-shell "$@"\n`,
  )
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
      page.setDefaultTimeout(PATIENCE_MS)
      page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`))
      return page
    },
    async linkMailedTo(to, subject) {
      const { text } = await until(() => {
        const at = mails.findIndex((one) => one.to.includes(to) && subject.test(one.subject))
        return at >= 0 && mails.splice(at, 1)[0]
      })
      const [link, ...more] = new Set(text.match(/https?:\/\/[^\s<>"]+/g))
      if (!link || more.length > 0) throw new Error(`not one link in the mail:\n${text}`)
      return link
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
