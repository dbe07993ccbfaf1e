import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../api.ts'
import { said } from '../../panel/said.ts'
import { useMe, useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { SaveForm } from '../../ui/form/save-form.tsx'
import { useSavePart } from '../../ui/form/use-save-part.ts'
import { useSaved } from '../../ui/form/use-saved.ts'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import styles from './email.module.css'
import { Preview } from './preview.tsx'
import type { MailTemplate } from './templates-tab.tsx'
import { t } from './words.ts'

interface Wording {
  subject: string
  body: string
  html: string
  ownHtml: boolean
  enabled: boolean
}

const wordingOf = ({ subject, body, html, enabled }: MailTemplate): Wording => ({
  subject,
  body,
  html: html ?? '',
  ownHtml: html !== null,
  enabled,
})
const htmlOf = ({ html, ownHtml }: Wording): string | null => (ownHtml ? html : null)

const labels = (): Readonly<Record<keyof Wording, string>> => ({
  subject: t.subject,
  body: t.text,
  ownHtml: t.ownHtml,
  html: t.html,
  enabled: t.sendThis,
})

/** The wording of one mail beside its preview. */
export function TemplateEditor({ template }: { template: MailTemplate }) {
  const blocked = useMissing()('email.manage')
  return (
    <SaveForm
      label={said(template.title)}
      submitText={t.saveWording}
      beside={(changed) => <TestButton template={template} changed={changed} blocked={blocked} />}
    >
      <Sides template={template} blocked={blocked} />
    </SaveForm>
  )
}

interface TemplateProps {
  template: MailTemplate
  blocked: string | undefined
}

function Sides({ template, blocked }: TemplateProps) {
  const [inserting, setInserting] = useState<'subject' | 'body' | 'html'>('body')
  const fields = useRef<HTMLDivElement>(null)
  const form = useForm<Wording, unknown>({
    initial: wordingOf(template),
    submit: (values) =>
      api('PUT /api/email/templates/{template}', {
        params: { template: template.id },
        body: {
          subject: values.subject,
          body: values.body,
          html: htmlOf(values),
          ...(template.mandatory ? {} : { enabled: values.enabled }),
        },
      }),
    refreshes: ['GET /api/email/templates'],
    done: () => {
      toastDone(t.saved)
    },
  })
  const { values } = form
  // Unused HTML is not saved.
  const changed = form.changed.filter((name) => name !== 'html' || values.ownHtml)
  useSavePart({ ...form, changed }, { labelOf: (name) => labels()[name], blocked })
  useSaved(form, wordingOf(template))
  const insert = (name: string): void => {
    const field = fields.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>(
      `[data-field="${inserting}"] :is(input, textarea)`,
    )
    const at = field?.selectionEnd ?? values[inserting].length
    const text = values[inserting]
    form.set(inserting, `${text.slice(0, at)}{{ ${name} }}${text.slice(at)}`)
    field?.focus()
  }
  const held = (name: 'subject' | 'body' | 'html') => ({
    'data-field': name,
    onFocus: () => setInserting(name),
  })
  return (
    <div className={styles.split}>
      <Card title={t.wording}>
        <div ref={fields}>
          <Column gap={14}>
            <div {...held('subject')}>
              <TextField label={t.subject} autoComplete="off" {...form.field('subject')} />
            </div>
            <div {...held('body')}>
              <AreaField
                label={t.text}
                rows={13}
                mono
                description={t.textHelp({ example: '[label]({{ link }})' })}
                {...form.field('body')}
              />
            </div>
            <SwitchField label={t.ownHtml} description={t.ownHtmlHelp} {...form.field('ownHtml')} />
            {values.ownHtml ? (
              <div {...held('html')}>
                <AreaField label={t.html} rows={10} mono {...form.field('html')} />
              </div>
            ) : null}
            <Column gap={6}>
              <Text small muted>
                {t.variables}
              </Text>
              <div className={styles.variables}>
                {template.variables.map((name) => (
                  <button key={name} type="button" onClick={() => insert(name)}>
                    {name}
                  </button>
                ))}
              </div>
            </Column>
            <SwitchField
              label={t.sendThis}
              disabled={template.mandatory}
              description={template.mandatory ? t.alwaysSent : undefined}
              {...form.field('enabled')}
            />
          </Column>
        </div>
      </Card>
      <Preview
        template={template.id}
        draft={{ subject: values.subject, body: values.body, html: htmlOf(values) }}
        blocked={blocked}
      />
    </div>
  )
}

function TestButton({ template, changed, blocked }: TemplateProps & { changed: boolean }) {
  const me = useMe()
  const send = useMutation({
    mutationFn: () =>
      api('POST /api/email/templates/{template}/test', { params: { template: template.id } }),
    onSuccess: () => toastDone(t.testSent, me.email),
    onError: (error) => toastRefused(t.testNotSent, error),
  })
  return (
    <Button
      busy={send.isPending}
      disabledBecause={blocked ?? (changed ? t.saveFirst : undefined)}
      onClick={() => send.mutate()}
    >
      {t.sendTest}
    </Button>
  )
}
