export {
  type AnswerOptions,
  type AnthropicOptions,
  type AnthropicTool,
  type ForAnthropic,
  forAnthropic,
} from './for-anthropic.ts';
