import type { Locator, Page } from 'playwright-core'

/** More tab stops than any screen has before its last control. */
const MOST_STOPS = 120
type Role = Parameters<Page['getByRole']>[0]

/** A person without a mouse. Counts choices and typed texts, but not navigation between them. */
export class Keyboard {
  readonly page: Page
  /** Choices made and texts typed since the last `begin`. */
  steps = 0

  constructor(page: Page) {
    this.page = page
  }

  /** Opens the page on which a journey begins. */
  async begin(path: string): Promise<void> {
    await this.page.goto(path)
    await this.page.getByRole('heading', { level: 1 }).first().waitFor()
    await this.page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' })
    this.steps = 0
  }

  /** Goes to a control and chooses it with Enter. */
  async choose(role: Role, name: string | RegExp): Promise<void> {
    await this.#focus(this.#find(role, name), `${role} ${name}`)
    await this.#step('Enter')
  }

  /** Replaces the text of a field, and sends its form if told to. */
  async fill(name: string | RegExp, text: string, send = false): Promise<void> {
    const field = this.page.getByLabel(name, { exact: typeof name === 'string' })
    const shown = field.and(this.page.locator('input, textarea')).first()
    await this.#focus(shown, `field ${name}`)
    await this.page.keyboard.press('ControlOrMeta+a')
    await this.page.keyboard.type(text)
    this.steps += 1
    if (send) await this.page.keyboard.press('Enter')
  }

  /** Types where the focus already is. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text)
    this.steps += 1
  }

  /** A key that acts: a shortcut or Enter. */
  async press(key: string): Promise<void> {
    await this.#step(key)
  }

  async #step(key: string): Promise<void> {
    await this.page.keyboard.press(key)
    this.steps += 1
  }

  #find(role: Role, name: string | RegExp): Locator {
    const exact = typeof name === 'string'
    return this.page.getByRole(role, { name, exact }).first()
  }

  /** Presses Tab until the control has the focus, which must be visible there. */
  async #focus(one: Locator, what: string): Promise<void> {
    await one.waitFor()
    const has = () => one.evaluate((element) => element === document.activeElement)
    const passed: string[] = []
    for (let stop = 0; !(await has()); stop++) {
      if (stop === MOST_STOPS)
        throw new Error(`the focus never came to ${what}: ${passed.slice(-5).join(', ')}`)
      await this.page.keyboard.press('Tab')
      passed.push(
        await this.page.evaluate(() => document.activeElement?.outerHTML.slice(0, 60) ?? ''),
      )
    }
    await one.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      if (bottom <= 0 || top >= innerHeight) throw new Error('the focus is outside of the window')
    })
  }
}
