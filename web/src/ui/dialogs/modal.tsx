import { Modal as MantineModal } from '@mantine/core'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import './modal.css'
import { DiscardQuestion } from './discard-question.tsx'
import { useStack } from './open-modals.ts'
import { AroundFormContext } from './typed.ts'
import { t } from './words.ts'

/** Above the page, and below what its fields open. */
const LEVEL = 200

interface ModalProps {
  title: string
  opened: boolean
  onClose: () => void
  /** Closes without asking, for content that is quickly typed again, such as a code. */
  fleeting?: boolean | undefined
  width: number
  children: ReactNode
}

/** While a form in it has unsaved text, Escape and a click outside ask first. */
export default function Modal({ onClose, fleeting, children, ...rest }: ModalProps) {
  const typed = useRef(new Set<string>())
  const [asking, setAsking] = useState(false)
  const latest = useRef(onClose)
  latest.current = onClose
  const around = useMemo(
    () => ({
      note: (form: string, isTyped: boolean) => {
        if (isTyped) typed.current.add(form)
        else typed.current.delete(form)
      },
      close: () => latest.current(),
    }),
    [],
  )
  const leave = (): void => (typed.current.size > 0 && !fleeting ? setAsking(true) : onClose())
  const stay = (): void => setAsking(false)
  return (
    <>
      <Plain {...rest} onClose={leave}>
        <AroundFormContext value={around}>{children}</AroundFormContext>
      </Plain>
      {/* Rendered only when it asks: otherwise the Escape that triggers it would also answer it. */}
      {asking && rest.opened ? (
        <Plain title={t.discardTitle} opened width={480} onClose={stay}>
          <DiscardQuestion
            onStay={stay}
            onDiscard={() => {
              stay()
              onClose()
            }}
          >
            {t.typedIsLost}
          </DiscardQuestion>
        </Plain>
      ) : null}
    </>
  )
}

function Plain({ width, children, ...rest }: Omit<ModalProps, 'fleeting'>) {
  const { above, isTopmost } = useStack(rest.opened)
  return (
    <MantineModal
      {...rest}
      centered
      closeOnEscape={isTopmost}
      // Otherwise one that was on the page before stays under the dialog from which it is opened again.
      zIndex={LEVEL + above}
      size={width}
      closeButtonProps={{ 'aria-label': t.close }}
      transitionProps={{ duration: 100 }}
    >
      {children}
    </MantineModal>
  )
}
