import { Modal as MantineModal } from '@mantine/core'
import type { ReactNode } from 'react'
import './modal.css'

interface ModalProps {
  title: string
  opened: boolean
  onClose: () => void
  width: number
  children: ReactNode
}

export default function Modal({ width, children, ...rest }: ModalProps) {
  return (
    <MantineModal
      {...rest}
      centered
      size={width}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 100 }}
    >
      {children}
    </MantineModal>
  )
}
