import { type ReactNode, useState } from 'react'
import { part } from '../page/part.tsx'
import { t } from './words.ts'

const Modal = part(() => import('./modal.tsx'))
const Drawer = part(() => import('./drawer.tsx'))

interface DialogProps {
  title: string
  opened: boolean
  onClose: () => void
  wide?: boolean
  /** Closes without asking, for content that is quickly typed again, such as a code. */
  fleeting?: boolean
  children: ReactNode
}

/** Whether it has been opened: its code is loaded only then. If that fails, it closes again. */
function useAsked({
  opened,
  onClose,
}: Pick<DialogProps, 'opened' | 'onClose'>): [boolean, () => void] {
  const [asked, setAsked] = useState(opened)
  if (opened && !asked) setAsked(true)
  const giveUp = (): void => {
    setAsked(false)
    onClose()
  }
  return [asked, giveUp]
}

/** A dialog in the middle of the page; focus moves in and returns. Asks before typed text is lost. */
export function Dialog({ wide, children, ...rest }: DialogProps) {
  const [asked, giveUp] = useAsked(rest)
  return asked ? (
    <Modal {...rest} width={wide ? 760 : 480} onLost={giveUp}>
      {children}
    </Modal>
  ) : null
}

/** A panel at the right edge of the page. */
export function SidePanel({ children, ...rest }: Omit<DialogProps, 'wide' | 'fleeting'>) {
  const [asked, giveUp] = useAsked(rest)
  return asked ? (
    <Drawer {...rest} side="right" width={440} onLost={giveUp}>
      {children}
    </Drawer>
  ) : null
}

/** The navigation of narrow screens, from the left edge. */
export function NavPanel({ children, ...rest }: Omit<DialogProps, 'wide' | 'fleeting' | 'title'>) {
  const [asked, giveUp] = useAsked(rest)
  return asked ? (
    <Drawer {...rest} title={t.navigation} side="left" width={260} onLost={giveUp}>
      {children}
    </Drawer>
  ) : null
}
