import { Modal as MantineModal } from '@mantine/core'
import type { ReactNode } from 'react'
import './modal.css'
import { useTopmost } from './open-modals.ts'
import { t } from './words.ts'

interface ModalProps {
  title: string
  opened: boolean
  onClose: () => void
  width: number
  children: ReactNode
}

export default function Modal({ width, children, ...rest }: ModalProps) {
  const topmost = useTopmost(rest.opened)
  return (
    <MantineModal
      {...rest}
      centered
      closeOnEscape={topmost}
      size={width}
      closeButtonProps={{ 'aria-label': t.close }}
      transitionProps={{ duration: 100 }}
    >
      {children}
    </MantineModal>
  )
}
