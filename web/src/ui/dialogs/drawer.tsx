import { Drawer as MantineDrawer } from '@mantine/core'
import type { ReactNode } from 'react'
import './modal.css'
import { t } from './words.ts'

interface DrawerProps {
  title: string
  opened: boolean
  onClose: () => void
  side: 'left' | 'right'
  width: number
  children: ReactNode
}

export default function Drawer({ side, width, children, ...rest }: DrawerProps) {
  return (
    <MantineDrawer
      {...rest}
      position={side}
      size={width}
      closeButtonProps={{ 'aria-label': t.close }}
      transitionProps={{ duration: 120 }}
    >
      {children}
    </MantineDrawer>
  )
}
