import { ABUSE_TYPES, AbuseReport, type AbuseType } from '@lodge/shared/support/abuse.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { CopyButton } from '../../ui/data/copy.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { rich } from '../../ui/page/rich.ts'
import { Captcha } from '../entrance/captcha.tsx'
import { Done } from '../entrance/done.tsx'
import { Entrance } from '../entrance/sign-in/entrance.tsx'
import { EvidenceField } from './evidence-field.tsx'
import { useEvidence } from './use-evidence.ts'
import { t } from './words.ts'

type Config = Reply<'GET /api/support/abuse/config'>

/** Where people without an account report what a server does. The answer is the same for all reports. */
export default function ReportPage() {
  const config = useQuery(q('GET /api/support/abuse/config'))
  const [reference, setReference] = useState<string>()
  return (
    <Entrance title={t.report} lead={t.reportLead}>
      <Loaded query={config} lines={6}>
        {(given) =>
          !given.enabled ? (
            <Note tone="info" title={t.reportsOff}>
              {t.reportsOffText}
            </Note>
          ) : reference === undefined ? (
            <ReportForm config={given} onDone={setReference} />
          ) : (
            <Done
              title={t.reported}
              action={<Button onClick={() => setReference(undefined)}>{t.another}</Button>}
            >
              {rich(t.reference({ reference, strong: (text) => <strong>{text}</strong> }))}
              <CopyButton value={reference} label={t.copyReference} />
            </Done>
          )
        }
      </Loaded>
    </Entrance>
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
  reporterEmail: string
}

interface ReportFormProps {
  config: Config
  onDone: (reference: string) => void
}

function ReportForm({ config, onDone }: ReportFormProps) {
  const { provider, siteKey } = config.captcha
  const [captcha, setCaptcha] = useState('')
  const [round, setRound] = useState(0)
  const evidence = useEvidence()
  const form = useForm<Values, { reference: string }>({
    initial: { type: '', target: '', description: '', reporterEmail: '' },
    schema: AbuseReport,
    submit: (values) =>
      api('POST /api/support/abuse', {
        body: {
          ...values,
          type: ABUSE_TYPES.find((type) => type === values.type) ?? 'other',
          ...(captcha === '' ? {} : { captcha }),
          evidence: evidence.files.map(({ receipt }) => receipt),
        },
      }).finally(() => {
        // A captcha response is valid for one attempt.
        setCaptcha('')
        setRound((old) => old + 1)
      }),
    done: ({ reference }) => onDone(reference),
  })
  const isMissing = Object.values(form.values).some((value) => value.trim() === '')
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
