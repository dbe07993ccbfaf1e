import { type ReactNode, useState } from 'react'
import { Segments } from '../../ui/choices/segments.tsx'
import { Column, Row } from '../../ui/page/layout.tsx'
import { Output } from '../../ui/panes/output.tsx'
import { MailFrame } from './mail-frame.tsx'

const FORMS = [
  { value: 'html', label: 'HTML' },
  { value: 'text', label: 'Text' },
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
        <Segments label="Form of the mail" value={form} choices={FORMS} onChange={setForm} />
        {beside}
      </Row>
      {form === 'html' ? (
        <MailFrame html={html} />
      ) : (
        <Output label="Text of the mail" text={text} most={520} />
      )}
    </Column>
  )
}
