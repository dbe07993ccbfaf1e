import type { RefObject } from 'react'
import { SwitchField } from '../../../ui/choices/switch-field.tsx'
import { AreaField } from '../../../ui/fields/area-field.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
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
      submitText="Type text"
      disabledBecause={form.values.text === '' ? 'There is no text yet' : undefined}
    >
      <AreaField
        label="Text"
        description="As on a US keyboard. With another layout in the guest some signs come out differently."
        rows={4}
        mono
        {...form.field('text')}
      />
      <SwitchField label="Press Enter at the end" {...form.field('enter')} />
    </Form>
  )
}
