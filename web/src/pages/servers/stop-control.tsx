import type { Server } from '@lodge/shared/servers.ts'
import { type ComponentProps, cloneElement, type ReactElement } from 'react'
import type { Button } from '../../ui/buttons/button.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import { stopWords } from './power.ts'

interface StopControlProps {
  server: Server
  question: string
  verb: string
  onStop: () => void
  /** The button. */
  children: ReactElement<Pick<ComponentProps<typeof Button>, 'onClick' | 'popoverTarget'>>
}

/** A button that stops a server; it asks first if that disconnects people. */
export function StopControl({ server, question, verb, onStop, children }: StopControlProps) {
  return stopWords(server).asks ? (
    <QuickConfirm question={question} verb={verb} onConfirm={onStop}>
      {children}
    </QuickConfirm>
  ) : (
    cloneElement(children, { onClick: onStop })
  )
}
