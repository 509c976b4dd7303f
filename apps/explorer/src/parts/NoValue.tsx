import { text } from '../text.ts'

export const NoValue = () => <span class="none">{text.none}</span>
