import { lazy, type ReactNode, Suspense, useState } from 'react'

const Modal = lazy(() => import('./modal.tsx'))
const Drawer = lazy(() => import('./drawer.tsx'))

interface DialogProps {
  title: string
  opened: boolean
  onClose: () => void
  wide?: boolean
  children: ReactNode
}

/** True once it has been opened: until then its code is not loaded. */
function useAsked(opened: boolean): boolean {
  const [asked, setAsked] = useState(opened)
  if (opened && !asked) setAsked(true)
  return asked
}

/** A dialog in the middle of the page; focus moves in and returns. */
export function Dialog({ wide, children, ...rest }: DialogProps) {
  return useAsked(rest.opened) ? (
    <Suspense>
      <Modal {...rest} width={wide ? 760 : 480}>
        {children}
      </Modal>
    </Suspense>
  ) : null
}

/** A panel at the right edge of the page. */
export function SidePanel({ children, ...rest }: Omit<DialogProps, 'wide'>) {
  return useAsked(rest.opened) ? (
    <Suspense>
      <Drawer {...rest} side="right" width={440}>
        {children}
      </Drawer>
    </Suspense>
  ) : null
}

/** The navigation of narrow screens, from the left edge. */
export function NavPanel({ children, ...rest }: Omit<DialogProps, 'wide' | 'title'>) {
  return useAsked(rest.opened) ? (
    <Suspense>
      <Drawer {...rest} title="Navigation" side="left" width={260}>
        {children}
      </Drawer>
    </Suspense>
  ) : null
}
