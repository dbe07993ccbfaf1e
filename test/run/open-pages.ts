import { afterEach } from 'vitest'

/** The part of a browser's page that a failure report reads. */
interface OpenPage {
  url(): string
  isClosed(): boolean
  locator(selector: string): { innerText(options: { timeout: number }): Promise<string> }
}

/** Pages that tests in this process have open; failure reports include their text. */
export const openPages = new Set<OpenPage>()
/** Characters of a page in a report. */
const MOST_TEXT = 1_500

async function seen(page: OpenPage): Promise<string> {
  const text = await page
    .locator('body')
    // biome-ignore lint/performance/useDomNodeTextContent: of a locator, and only what is shown counts
    .innerText({ timeout: 2_000 })
    .catch((error: unknown) => String(error))
  return `${page.url()} shows:\n${text.replaceAll(/\s*\n\s*/g, ' | ').slice(0, MOST_TEXT)}`
}

// A timeout says what was expected, but not what was on the page instead.
afterEach(async ({ task }) => {
  const error = task.result?.state === 'fail' ? task.result.errors?.at(-1) : undefined
  if (!error) return
  const pages = [...openPages].filter((page) => !page.isClosed())
  if (pages.length > 0) error.message += `\n${(await Promise.all(pages.map(seen))).join('\n')}\n`
})
