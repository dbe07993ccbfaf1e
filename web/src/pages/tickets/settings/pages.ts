import CategoriesTab from './categories-tab.tsx'
import GeneralTab from './general-tab.tsx'
import GroupsTab from './groups-tab.tsx'
import SettingsFrame from './settings-frame.tsx'

/** In one chunk: the tabs are small and share nearly all of their code. */
export const settingsPages = {
  frame: SettingsFrame,
  general: GeneralTab,
  categories: CategoriesTab,
  groups: GroupsTab,
}
