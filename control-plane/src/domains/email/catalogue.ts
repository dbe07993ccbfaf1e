import { type PlainPathName, panelPath } from '@lodge/shared/panel-paths.ts'

/** A kind of mail: when it is sent, its variables and its built-in wording. */
export interface MailTemplate {
  readonly title: string
  /** The page that `{{ link }}` opens. */
  readonly opens?: PlainPathName | 'serverConsole'
  /**
   * The link carries a single-use token, valid until `{{ expires }}`; `sometimes`: there may be
   * none.
   */
  readonly once?: true | 'sometimes'
  /** Lower is sent first: people waiting for a link or under attack. */
  readonly priority: 0 | 1 | 2
  /** Mail about account security cannot be turned off. */
  readonly security?: true
  /** Its own variables, each with a sample value for previews. */
  readonly variables: Readonly<Record<string, string>>
  readonly subject: string
  /** Paragraphs; a separate line `[label]({{ link }})` becomes a button. */
  readonly body: string
}

const GREETING = 'Hello{% if user.name %} {{ user.name }}{% endif %},'
const lines = (...text: string[]) => [GREETING, ...text].join('\n\n')
const DEVICE = { device: 'Firefox on Linux', address: '203.0.113.7' }
const NOT_YOU = [
  'If this was not you, choose a new password at once. It signs out every device.',
  '[Choose a new password]({{ link }})',
]

/** Every kind of mail that Lodge sends. */
export const MAIL_TEMPLATES = {
  verify_email: {
    title: 'Confirm the address of a new account',
    opens: 'verify',
    once: true,
    priority: 0,
    security: true,
    variables: {},
    subject: 'Confirm your address',
    body: lines(
      'welcome to {{ panel.name }}. Confirm that this address is yours to finish your sign-up.',
      '[Confirm my address]({{ link }})',
      'The link works once, until {{ expires }}. If you did not sign up, ignore this mail: without the confirmation nothing happens.',
    ),
  },
  email_change: {
    title: 'Confirm a changed address',
    opens: 'confirmEmail',
    once: true,
    priority: 0,
    security: true,
    variables: {},
    subject: 'Confirm your new address',
    body: lines(
      'you asked to use this address for your account at {{ panel.name }}.',
      '[Use this address]({{ link }})',
      'The link works once, until {{ expires }}. Until then your old address stays.',
    ),
  },
  email_changed: {
    title: 'The address of an account was changed',
    opens: 'undoEmail',
    once: 'sometimes',
    priority: 0,
    security: true,
    variables: { newEmail: 'new@example.com' },
    subject: 'Your address was changed',
    body: lines(
      'your account at {{ panel.name }} now uses the address {{ newEmail }}. This one no longer signs in.',
      '{% if link %}If this was not you, take your address back and choose a new password:{% endif %}',
      '{% if link %}[This was not me]({{ link }}){% endif %}',
      '{% if link %}The link works once, until {{ expires }}. It signs out every device and ends API tokens.{% else %}Your host changed it and signed out every device. If you did not expect this, write to your host at once.{% endif %}',
    ),
  },
  invitation: {
    title: 'Invitation of a new customer',
    opens: 'accept',
    once: true,
    priority: 0,
    security: true,
    variables: { inviter: 'Alex Host' },
    subject: 'Your account at {{ panel.name }}',
    body: lines(
      '{% if inviter %}{{ inviter }} made{% else %}there is{% endif %} an account for you at {{ panel.name }}. Choose a password to sign in.',
      '[Choose a password]({{ link }})',
      'The link works once, until {{ expires }}.',
    ),
  },
  password_reset: {
    title: 'Link to a new password',
    opens: 'accept',
    once: true,
    priority: 0,
    security: true,
    variables: {},
    subject: 'Choose a new password',
    body: lines(
      'a new password was asked for your account at {{ panel.name }}.',
      '[Choose a new password]({{ link }})',
      'The link works once, until {{ expires }}. A new password signs out every device and ends API tokens; second factors stay. If you did not ask for it, ignore this mail.',
    ),
  },
  password_changed: {
    title: 'The password was changed',
    opens: 'forgot',
    priority: 0,
    security: true,
    variables: DEVICE,
    subject: 'Your password was changed',
    body: lines(
      'the password of your account at {{ panel.name }} was just changed from {{ device }} at {{ address }}. Every other device was signed out; API tokens and links that were mailed before ended.',
      ...NOT_YOU,
    ),
  },
  new_device: {
    title: 'Sign-in from a new device',
    opens: 'forgot',
    priority: 0,
    security: true,
    variables: DEVICE,
    subject: 'New sign-in to your account',
    body: lines(
      'your account at {{ panel.name }} was just used on a device that we have not seen before: {{ device }} at {{ address }}.',
      ...NOT_YOU,
    ),
  },
  second_factor_changed: {
    title: 'A second factor was added or removed',
    opens: 'forgot',
    priority: 0,
    security: true,
    variables: { change: 'A passkey was added' },
    subject: 'Your second factors were changed',
    body: lines(
      'the sign-in of your account at {{ panel.name }} was changed: {{ change }}.',
      ...NOT_YOU,
    ),
  },
  recovery_code_used: {
    title: 'A recovery code was used',
    opens: 'forgot',
    priority: 0,
    security: true,
    variables: { left: '9', address: '203.0.113.7' },
    subject: 'A recovery code was used',
    body: lines(
      'a recovery code of your account at {{ panel.name }} was just used from {{ address }}. {{ left }} are left.',
      ...NOT_YOU,
    ),
  },
  team_invite: {
    title: 'Invitation of an administrator',
    opens: 'accept',
    once: true,
    priority: 0,
    security: true,
    variables: { inviter: 'alex@example.com' },
    subject: 'You are invited to the team of {{ panel.name }}',
    body: lines(
      '{{ inviter }} invites you to administer {{ panel.name }}.',
      '[Accept the invitation]({{ link }})',
      'The link works once, until {{ expires }}. You set up a second factor when you first sign in.',
    ),
  },
  team_transfer: {
    title: 'Transfer of the super administrator',
    opens: 'transfer',
    once: true,
    priority: 0,
    security: true,
    variables: { inviter: 'alex@example.com' },
    subject: 'Become the super administrator of {{ panel.name }}',
    body: lines(
      '{{ inviter }} wants to hand {{ panel.name }} over to you. Sign in and confirm to become its super administrator.',
      '[Review the transfer]({{ link }})',
      'The link works once, until {{ expires }}. Without your confirmation nothing changes.',
    ),
  },
  collaborator_invite: {
    title: 'Invitation to a server',
    opens: 'join',
    once: true,
    priority: 0,
    variables: {
      inviter: 'alex@example.com',
      server: 'Survival',
      permissions: 'Start, Stop, Read the console',
    },
    subject: '{{ inviter }} shares {{ server }} with you',
    body: lines(
      '{{ inviter }} shares the server {{ server }} at {{ panel.name }} with you. You may: {{ permissions }}.',
      '[Accept the invitation]({{ link }})',
      'The link works once, until {{ expires }}. If you do not know {{ inviter }}, ignore this mail.',
    ),
  },
  signup_approved: {
    title: 'A sign-up was approved',
    opens: 'signIn',
    priority: 1,
    variables: {},
    subject: 'Your account is ready',
    body: lines('your account at {{ panel.name }} was approved.', '[Sign in]({{ link }})'),
  },
  signup_rejected: {
    title: 'A sign-up was declined',
    priority: 1,
    variables: { reason: 'We do not serve your region yet.' },
    subject: 'Your sign-up at {{ panel.name }}',
    body: lines(
      'your sign-up at {{ panel.name }} was declined and your data were removed.',
      '{% if reason %}The reason: {{ reason }}{% endif %}',
    ),
  },
  limit_warning: {
    title: 'A limit is nearly reached',
    opens: 'accountLimits',
    priority: 1,
    variables: { limit: 'servers', used: '8', value: '10' },
    subject: 'You are close to a limit',
    body: lines(
      'you use {{ used }} of {{ value }} {{ limit }} at {{ panel.name }}.',
      '[See my limits]({{ link }})',
    ),
  },
  limit_exceeded: {
    title: 'A limit is exceeded',
    opens: 'accountLimits',
    priority: 1,
    variables: {
      limit: 'servers',
      message: 'This would exceed the limit of 10 servers (10 in use, 1 requested)',
    },
    subject: 'You are above a limit',
    body: lines(
      'your account at {{ panel.name }} is above a limit: {{ message }}.',
      '[See my limits]({{ link }})',
    ),
  },
  server_gave_up: {
    title: 'A server stays stopped after crashes',
    opens: 'serverConsole',
    priority: 1,
    variables: {
      server: 'my-first-server',
      serverId: '01939a3e-6b5c-7000-8000-000000000001',
      reason:
        'The server ended with exit code 1; it was already restarted 3 times within 10 minutes, so it stays stopped',
    },
    subject: '{{ server }} stays stopped',
    body: lines(
      '{{ server }} at {{ panel.name }} is not started again by itself. {{ reason }}.',
      'Its last output says what went wrong. Start it again when that is mended.',
      '[Open the server]({{ link }})',
    ),
  },
  test: {
    title: 'Test of the mail settings',
    opens: 'home',
    priority: 0,
    variables: {},
    subject: 'Mail from {{ panel.name }} works',
    body: lines(
      'this mail was sent to test the settings of {{ panel.name }}. You can read it, so they work.',
      '[Open the panel]({{ link }})',
    ),
  },
} as const satisfies Readonly<Record<string, MailTemplate>>

export type TemplateId = keyof typeof MAIL_TEMPLATES
export type VariablesOf<T extends TemplateId> = {
  readonly [K in keyof (typeof MAIL_TEMPLATES)[T]['variables']]: string
}
/** Kinds of mail whose link works once. */
export type OnceTemplateId = {
  [T in TemplateId]: (typeof MAIL_TEMPLATES)[T] extends { once: true } ? T : never
}[TemplateId]
export const TEMPLATE_IDS = Object.keys(MAIL_TEMPLATES) as [TemplateId, ...TemplateId[]]
export const isTemplateId = (id: string): id is TemplateId => Object.hasOwn(MAIL_TEMPLATES, id)
export const templateOf = (id: TemplateId): MailTemplate => MAIL_TEMPLATES[id]

/** Variables available in every mail, with sample values for previews. */
export const COMMON_VARIABLES = {
  'panel.name': 'Lodge',
  'panel.url': 'https://panel.example.com',
  'user.name': 'Sam',
  'user.email': 'sam@example.com',
} as const

/**
 * The link of a mail; undefined for mail without one. Tokens are in the fragment, which browsers do
 * not send, so no server or proxy logs them.
 */
export function linkOf(
  id: TemplateId,
  panelUrl: string,
  token: string | undefined,
  variables: Readonly<Record<string, string>>,
): string | undefined {
  const { opens, once } = templateOf(id)
  if (opens === undefined || (once && token === undefined)) return undefined
  const path =
    opens === 'serverConsole'
      ? panelPath(opens, { id: variables.serverId ?? '' })
      : panelPath(opens)
  return `${panelUrl}${path}${token === undefined ? '' : `#token=${token}`}`
}

/** A sample value for every variable of a mail, for previews. */
export function samplesOf(id: TemplateId): Readonly<Record<string, string>> {
  const { variables, once } = templateOf(id)
  const link = linkOf(id, COMMON_VARIABLES['panel.url'], once ? 'sample' : undefined, variables)
  return {
    ...variables,
    ...(link !== undefined && { link }),
    ...(once && { expires: '22 November 2026, 09:30 UTC' }),
  }
}

/** Variables a template may use, dotted. */
export const variablesOf = (id: TemplateId): string[] => [
  ...Object.keys(COMMON_VARIABLES),
  ...Object.keys(samplesOf(id)),
]
