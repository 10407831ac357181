export { type ForLangChain, forLangChain, type LangChainOptions } from './for-langchain.ts';
