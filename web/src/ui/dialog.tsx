import { Drawer, Modal } from '@mantine/core'
import type { ReactNode } from 'react'

interface DialogProps {
  title: string
  opened: boolean
  onClose: () => void
  wide?: boolean
  children: ReactNode
}

const close = { 'aria-label': 'Close' }

/** A dialog in the middle of the page; focus goes in and comes back. */
export function Dialog({ title, opened, onClose, wide, children }: DialogProps) {
  return (
    <Modal
      title={title}
      opened={opened}
      onClose={onClose}
      centered
      size={wide ? 760 : 480}
      closeButtonProps={close}
      transitionProps={{ duration: 100 }}
    >
      {children}
    </Modal>
  )
}

/** A panel at the right edge of the page. */
export function SidePanel({ title, opened, onClose, children }: Omit<DialogProps, 'wide'>) {
  return (
    <Drawer
      title={title}
      opened={opened}
      onClose={onClose}
      position="right"
      size={440}
      closeButtonProps={close}
      transitionProps={{ duration: 120 }}
    >
      {children}
    </Drawer>
  )
}

/** The navigation of narrow screens, from the left edge. */
export function NavPanel({
  opened,
  onClose,
  children,
}: Pick<DialogProps, 'opened' | 'onClose' | 'children'>) {
  return (
    <Drawer
      title="Navigation"
      opened={opened}
      onClose={onClose}
      position="left"
      size={260}
      closeButtonProps={close}
      transitionProps={{ duration: 120 }}
    >
      {children}
    </Drawer>
  )
}
