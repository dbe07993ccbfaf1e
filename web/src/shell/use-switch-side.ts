import { useNavigate } from '@tanstack/react-router'
import { paths } from '../paths.ts'
import { type Side, useSide } from './side.ts'

/** Changes the side and opens its first page. */
export function useSwitchSide(): (side: Side) => void {
  const navigate = useNavigate()
  const [, setSide] = useSide()
  return (side) => {
    setSide(side)
    if (side === 'own') void navigate({ to: paths.servers, search: { q: 'whose:mine' } })
    else void navigate({ to: paths.overview })
  }
}
