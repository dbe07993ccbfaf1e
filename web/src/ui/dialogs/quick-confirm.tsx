import { cloneElement, type FormEvent, type ReactElement, useId } from 'react'
import { Button } from '../buttons/button.tsx'
import { Floating } from '../floating/floating.tsx'
import { Column, Row, Text } from '../page/layout.tsx'
import { t } from './words.ts'

interface QuickConfirmProps {
  question: string
  /** Verb and object. */
  verb: string
  onConfirm: () => void
  /** The button that opens it. */
  children: ReactElement<{ popoverTarget?: string }>
}

/** Level 1: a small question beside the button, for annoying but harmless actions. Enter confirms. */
export function QuickConfirm({ question, verb, onConfirm, children }: QuickConfirmProps) {
  const id = useId()
  const submit = (event: FormEvent, close: () => void): void => {
    event.preventDefault()
    // Otherwise it would also submit the form that contains the button.
    event.stopPropagation()
    close()
    onConfirm()
  }
  return (
    <>
      {cloneElement(children, { popoverTarget: id })}
      <Floating id={id} label={question} role="dialog" width={250}>
        {(close) => (
          <form onSubmit={(event) => submit(event, close)}>
            <Column gap={10}>
              <Text>{question}</Text>
              <Row>
                <Button type="submit" kind="primary" size="small" data-autofocus>
                  {verb}
                </Button>
                <Button size="small" onClick={close}>
                  {t.cancel}
                </Button>
              </Row>
            </Column>
          </form>
        )}
      </Floating>
    </>
  )
}
