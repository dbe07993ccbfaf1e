import { type ReactNode, useState } from 'react'
import { Segments } from '../../ui/choices/segments.tsx'
import { Column, Row } from '../../ui/page/layout.tsx'
import { Output } from '../../ui/panes/output.tsx'
import { MailFrame } from './mail-frame.tsx'
import { t } from './words.ts'

const forms = () =>
  [
    { value: 'html', label: t.html },
    { value: 'text', label: t.text },
  ] as const

/** A rendered mail, as HTML or as text. */
export function MailBody({
  html,
  text,
  beside,
}: {
  html: string
  text: string
  beside?: ReactNode
}) {
  const [form, setForm] = useState<'html' | 'text'>('html')
  return (
    <Column gap={10}>
      <Row between>
        <Segments label={t.form} value={form} choices={forms()} onChange={setForm} />
        {beside}
      </Row>
      {form === 'html' ? (
        <MailFrame html={html} />
      ) : (
        <Output label={t.textOfMail} text={text} most={520} />
      )}
    </Column>
  )
}
