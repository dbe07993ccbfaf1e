import type { RefObject } from 'react'
import { SwitchField } from '../../../ui/choices/switch-field.tsx'
import { AreaField } from '../../../ui/fields/area-field.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { t } from '../words.ts'
import type { MachineScreen } from './screen.ts'

interface TypeTextProps {
  screen: RefObject<MachineScreen | undefined>
  onDone: () => void
}

/** Types a text key by key, for boot prompts and logins, where pasting is impossible. */
export function TypeText({ screen, onDone }: TypeTextProps) {
  const form = useForm<{ text: string; enter: boolean }, unknown>({
    initial: { text: '', enter: false },
    submit: async ({ text, enter }) => screen.current?.type(enter ? `${text}\n` : text),
    done: () => {
      onDone()
      screen.current?.focus()
    },
  })
  return (
    <Form
      form={form}
      submitText={t.typeText}
      disabledBecause={form.values.text === '' ? t.noText : undefined}
    >
      <AreaField label={t.text} description={t.textHelp} rows={4} mono {...form.field('text')} />
      <SwitchField label={t.enterAtEnd} {...form.field('enter')} />
    </Form>
  )
}
