import type { ResumeRules } from '@portolan/client'

export declare const resumes: ResumeRules
