import type { PageIcon } from '@lodge/shared/plugins/page.ts'
import Star from 'lucide-react/icons/badge'
import Info from 'lucide-react/icons/badge-info'
import Chart from 'lucide-react/icons/chart-spline'
import Clipboard from 'lucide-react/icons/clipboard-list'
import Clock from 'lucide-react/icons/clock-4'
import Users from 'lucide-react/icons/contact'
import Globe from 'lucide-react/icons/earth'
import File from 'lucide-react/icons/file-heart'
import Package from 'lucide-react/icons/gift'
import Wrench from 'lucide-react/icons/hammer'
import Image from 'lucide-react/icons/images'
import List from 'lucide-react/icons/layout-list'
import MapIcon from 'lucide-react/icons/map-pinned'
import Message from 'lucide-react/icons/messages-square'
import Puzzle from 'lucide-react/icons/puzzle'
import Shield from 'lucide-react/icons/shield-half'
import type { NavigationEntry } from '../../panel/define-pages.ts'

// None of these is used elsewhere, because the build splits chunks by what pages share.

/** Icons of pages by their names in manifests. */
export const ICONS: Readonly<Record<PageIcon, NavigationEntry['icon']>> = {
  chart: Chart,
  clipboard: Clipboard,
  clock: Clock,
  file: File,
  globe: Globe,
  image: Image,
  info: Info,
  list: List,
  map: MapIcon,
  message: Message,
  package: Package,
  puzzle: Puzzle,
  shield: Shield,
  star: Star,
  users: Users,
  wrench: Wrench,
}
