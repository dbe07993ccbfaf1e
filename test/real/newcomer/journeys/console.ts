import { until } from '../must.ts'
import { addressOf, button, field, makeServer, openServer, type World } from '../world.ts'

/** A program that responds, as somebody would write it for their own use. */
const PARROT = {
  format: 'lodge/v1',
  name: 'Parrot',
  kind: 'container',
  runtime: {
    images: [
      {
        name: 'Debian 12',
        source: { kind: 'debian', suite: 'bookworm', packages: ['busybox'] },
      },
    ],
    startup: {
      kind: 'argv',
      command: [
        '/bin/busybox',
        'sh',
        '-c',
        'echo Listening; while read -r line; do echo "You said: $line"; done',
      ],
    },
    dataPath: '/data',
    proofOfLife: { patterns: [{ kind: 'text', value: 'Listening' }] },
    stop: [{ kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 10 }],
    limits: { memoryMb: 64, cpuPercent: 10, diskMb: 64 },
  },
}

/** The console shows a website's output, and a program responds to typed input. */
export async function consoleJourney({ admin: { page }, panel, desk }: World): Promise<void> {
  await openServer(page, panel, 'Under the hill')
  const place = await addressOf(page, panel)
  await page.getByRole('link', { name: 'Console', exact: true }).click()
  const output = page.locator('.xterm-rows')
  await page.getByText('Connected', { exact: true }).waitFor()
  const before = await output.getByText('response:404').count()
  const visitor = await desk.person()
  await visitor.goto(`http://${place}/nothing-here`)
  await visitor.close()
  await until(async () => (await output.getByText('response:404').count()) > before)

  await page.goto(`${panel}/admin/templates/new`)
  await page.getByLabel('Template file').setInputFiles({
    name: 'parrot.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(PARROT)),
  })
  await button(page, 'Import template').click()
  await page.getByRole('link', { name: 'Open template' }).waitFor()
  await page.goto(`${panel}/servers/new`)
  await makeServer(page, /Parrot/, 'Polly')
  await page.getByRole('link', { name: 'Console', exact: true }).click()
  await page.getByText('Connected', { exact: true }).waitFor()
  await field(page, 'Command').fill('good morning')
  await field(page, 'Command').press('Enter')
  await output.getByText('You said: good morning').waitFor()
}
