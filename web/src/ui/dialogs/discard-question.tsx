import type { ReactNode } from 'react'
import { Button } from '../buttons/button.tsx'
import { Column, Row } from '../page/layout.tsx'
import { t } from './words.ts'

interface DiscardQuestionProps {
  /** What gets lost. */
  children: ReactNode
  onDiscard: () => void
  onStay: () => void
}

/** Asked before what somebody typed is lost. */
export const DiscardQuestion = ({ children, onDiscard, onStay }: DiscardQuestionProps) => (
  <Column>
    <div>{children}</div>
    <Row>
      <Button kind="danger" onClick={onDiscard}>
        {t.discardChanges}
      </Button>
      <Button onClick={onStay} data-autofocus>
        {t.cancel}
      </Button>
    </Row>
  </Column>
)
