import {
  ABUSE_TYPES,
  type AbuseReceived,
  AbuseReport,
  type AbuseType,
} from '@lodge/shared/support/abuse.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { Missing } from '../../routes/fallbacks.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { Copyable, CopyButton } from '../../ui/data/copy.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { timestampText } from '../../ui/locale/timestamps.ts'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { Captcha } from '../entrance/captcha.tsx'
import { Done } from '../entrance/done.tsx'
import { Entrance } from '../entrance/sign-in/entrance.tsx'
import { instantOf } from '../status/times.ts'
import { EvidenceField } from './evidence-field.tsx'
import { useEvidence } from './use-evidence.ts'
import { t } from './words.ts'

type Config = Reply<'GET /api/support/abuse/config'>

/** Where people without an account report abuse. The response is the same for all reports. */
export default function ReportPage() {
  const config = useQuery(q('GET /api/support/abuse/config'))
  const [sent, setSent] = useState<AbuseReceived>()
  if (config.data?.enabled === false) return <Missing />
  return (
    <Entrance title={t.report} lead={t.reportLead}>
      <Loaded query={config} lines={6}>
        {(given) =>
          sent === undefined ? (
            <ReportForm config={given} onDone={setSent} />
          ) : (
            <Sent sent={sent} onAnother={() => setSent(undefined)} />
          )
        }
      </Loaded>
    </Entrance>
  )
}

function Sent({ sent, onAnother }: { sent: AbuseReceived; onAnother: () => void }) {
  const { reference, statusUrl } = sent
  return (
    <Done
      title={t.reported}
      action={
        <>
          <Text>{t.statusLink}</Text>
          <Copyable value={statusUrl} label={t.copyStatusLink} />
          <Button onClick={onAnother}>{t.another}</Button>
        </>
      }
    >
      {rich(t.reference({ reference, strong: (text) => <strong>{text}</strong> }))}
      <CopyButton value={reference} label={t.copyReference} />
    </Done>
  )
}

const TYPES: Readonly<Record<AbuseType, () => string>> = {
  spam: () => t.spam,
  phishing: () => t.phishing,
  malware: () => t.malware,
  copyright: () => t.copyright,
  ddos: () => t.ddos,
  csam: () => t.csam,
  other: () => t.other,
}

interface Values {
  type: string
  target: string
  description: string
  occurredAt: string
  reporterEmail: string
}

interface ReportFormProps {
  config: Config
  onDone: (sent: AbuseReceived) => void
}

const bodyOf = ({ type, occurredAt, ...values }: Values) => ({
  ...values,
  type: ABUSE_TYPES.find((one) => one === type) ?? ('other' as const),
  ...(occurredAt !== '' && { occurredAt: instantOf(occurredAt) }),
})

/** Names the time zone, and repeats the entered time in UTC. */
function occurredHelp(local: string): string {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions()
  const at = new Date(local)
  if (Number.isNaN(at.getTime())) return t.occurredHelp({ zone })
  return t.occurredIs({ zone, utc: timestampText(at, { timeZone: 'UTC', ...TO_THE_MINUTE }) })
}
const TO_THE_MINUTE = { dateStyle: 'medium', timeStyle: 'short' } as const

function ReportForm({ config, onDone }: ReportFormProps) {
  const { provider, siteKey } = config.captcha
  const [captcha, setCaptcha] = useState('')
  const [round, setRound] = useState(0)
  const evidence = useEvidence()
  const form = useForm<Values, AbuseReceived>({
    initial: { type: '', target: '', description: '', occurredAt: '', reporterEmail: '' },
    schema: AbuseReport,
    toBody: bodyOf,
    submit: (values) =>
      api('POST /api/support/abuse', {
        body: {
          ...bodyOf(values),
          ...(captcha === '' ? {} : { captcha }),
          evidence: evidence.files.map(({ receipt }) => receipt),
        },
      }).finally(() => {
        // A captcha response is valid for one attempt.
        setCaptcha('')
        setRound((old) => old + 1)
      }),
    done: onDone,
  })
  const { type, target, description, occurredAt } = form.values
  const isMissing = [type, target, description].some((value) => value.trim() === '')
  const blocked = () => {
    if (isMissing) return t.fieldsMissing
    if (evidence.sending) return t.filesComing
    return provider !== 'off' && captcha === '' ? t.captchaFirst : undefined
  }
  return (
    <Form form={form} submitText={t.sendReport} submitFull disabledBecause={blocked()}>
      <SelectField
        label={t.type}
        width="fill"
        choices={ABUSE_TYPES.map((value) => ({ value, label: TYPES[value]() }))}
        {...form.field('type')}
      />
      <TextField
        label={t.target}
        description={t.targetHelp}
        width="fill"
        autoComplete="off"
        {...form.field('target')}
      />
      <AreaField
        label={t.description}
        description={t.descriptionHelp}
        width="fill"
        {...form.field('description')}
      />
      <TextField
        label={t.occurred}
        description={occurredHelp(occurredAt)}
        type="datetime-local"
        {...form.field('occurredAt')}
      />
      <EvidenceField evidence={evidence} />
      <TextField
        label={t.reporterEmail}
        description={t.reporterHelp}
        type="email"
        width="fill"
        autoComplete="email"
        {...form.field('reporterEmail')}
      />
      {provider !== 'off' && siteKey ? (
        <Captcha key={round} provider={provider} siteKey={siteKey} onAnswer={setCaptcha} />
      ) : null}
    </Form>
  )
}
