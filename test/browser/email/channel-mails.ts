import type { Page } from 'playwright-core'
import type { Receiver } from '../../api/notifications/receiver.ts'
import type { Caller } from '../../support/caller.ts'
import { PASSWORD } from '../../support/stack.ts'

interface Following {
  readonly receiver: Receiver
  readonly page: Page
  person(): Promise<Caller>
  be(person: Caller): Promise<void>
  follow(to: string, template: string): Promise<void>
}

/** Follows the links of the mails about notification channels, by the kind of mail. */
export function channelMails(following: () => Following) {
  const heading = (name: string) => following().page.getByRole('heading', { level: 1, name })
  return {
    channel_verify: async () => {
      const { page, person, follow } = following()
      const to = 'operators@example.com'
      const body = { name: 'Operators', kind: 'email' as const, to, events: [] }
      await (await person()).must('POST /api/notification-channels', { body })
      await follow(to, 'channel_verify')
      await page.getByRole('button', { name: 'Receive notifications here' }).click()
      await heading('Address confirmed').waitFor()
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
      await owner.must('POST /api/auth/password', {
        body: { currentPassword: PASSWORD, newPassword: PASSWORD },
      })
      await be(owner)
      await follow(owner.email, 'channel_disabled')
      await heading('Account').waitFor()
    },
  }
}
