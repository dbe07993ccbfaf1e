import type { Caller } from '../../support/caller.ts'
import { NameServer } from '../../support/name-server.ts'
import { SmtpSink } from '../../support/smtp-sink.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

/** The address of the support desk. */
export const DESK = 'support@desk.example.com'

/** A panel that accepts mail for its support desk, with a mail server and a name server beside it. */
export interface MailStage extends AsyncDisposable {
  readonly lodge: Lodge
  /** Receives mail from the panel. */
  readonly sink: SmtpSink
  readonly names: NameServer
  /** Answers tickets and changes the settings of the desk. */
  readonly agent: Caller
  /** The secret of the bridge. */
  readonly secret: string
}

export async function openMailStage(
  environment: Readonly<Record<string, string>> = {},
): Promise<MailStage> {
  await using open = new AsyncDisposableStack()
  const sink = open.use(await new SmtpSink().listen())
  const names = open.use(await new NameServer().listen())
  const lodge = open.use(
    await startLodge({
      environment: {
        LODGE_INBOUND_SMTP: 'true',
        LODGE_INBOUND_SMTP_PORT: '0',
        LODGE_INBOUND_DNS: names.address,
        ...environment,
      },
    }),
  )
  const admin = await lodge.admin()
  await admin.must('PUT /api/settings/mail', { body: { ...sink.settings, password: null } })
  const agent = await lodge.limitedAdmin(['support.view', 'support.reply', 'support.settings'])
  const { secret } = await agent.must('POST /api/support/inbound/secret')
  await agent.must('PUT /api/support/inbound/settings', { body: { enabled: true, address: DESK } })
  const kept = open.move()
  return { lodge, sink, names, agent, secret, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
