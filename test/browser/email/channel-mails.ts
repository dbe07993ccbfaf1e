import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Receiver } from '../../api/notifications/receiver.ts'
import type { Caller } from '../../support/caller.ts'
import { receivedMail } from '../../support/read-mail.ts'
import type { SmtpSink } from '../../support/smtp-sink.ts'
import { PASSWORD } from '../../support/stack.ts'

interface Following {
  readonly sink: SmtpSink
  readonly receiver: Receiver
  readonly page: Page
  person(): Promise<Caller>
  be(person: Caller): Promise<void>
  follow(to: string, template: string): Promise<void>
}

const changePassword = (owner: Caller) =>
  owner.must('POST /api/auth/password', {
    body: { currentPassword: PASSWORD, newPassword: PASSWORD },
  })

/** Follows the links of the mails about notification channels, by the kind of mail. */
export function channelMails(following: () => Following) {
  const heading = (name: string) => following().page.getByRole('heading', { level: 1, name })
  return {
    channel_verify: async () => {
      const { sink, page, person, follow } = following()
      const to = 'operators@example.com'
      const owner = await person()
      await owner.must('POST /api/notification-channels', {
        body: { name: 'Operators', kind: 'email', to, events: ['account.password_changed'] },
      })
      await follow(to, 'channel_verify')
      await page.getByRole('button', { name: 'Receive notifications here' }).click()
      await heading('Address confirmed').waitFor()
      await changePassword(owner)
      const { html } = await receivedMail(sink, to, /password was changed/)
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto('about:blank')
      await page.setContent(html)
      // Its token is longer than a phone is wide.
      const end = page.getByRole('link', { name: /\/unsubscribe$/ })
      await end.waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
      await page.setViewportSize({ width: 1280, height: 800 })
      await end.click()
      await page.getByRole('button', { name: 'Stop these mails' }).waitFor()
    },
    channel_disabled: async () => {
      const { receiver, person, be, follow } = following()
      receiver.answer = (_received, response) => void response.writeHead(410).end()
      const owner = await person()
      await owner.must('POST /api/notification-channels', {
        body: {
          ...{ name: 'Hook', kind: 'webhook', url: receiver.url('/gone') },
          events: ['account.password_changed'],
        },
      })
      await changePassword(owner)
      await be(owner)
      await follow(owner.email, 'channel_disabled')
      await heading('Account').waitFor()
    },
  }
}
