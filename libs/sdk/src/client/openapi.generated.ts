// Made by scripts/make-client.mjs from the OpenAPI document. Not to be changed by hand.
export interface paths {
    "/v1/pipelines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List pipelines by name */
        get: operations["PipelinesController_list"];
        put?: never;
        /** Publish a definition; the same definition again gives the same version */
        post: operations["PipelinesController_publish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pipelines/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest version of a pipeline */
        get: operations["PipelinesController_get"];
        put?: never;
        post?: never;
        /** Take a pipeline out of the catalogue; refused while executions of it are open */
        delete: operations["PipelinesController_remove"];
        options?: never;
        head?: never;
        /** Allow or forbid new executions */
        patch: operations["PipelinesController_change"];
        trace?: never;
    };
    "/v1/pipelines/{name}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Versions of a pipeline, newest first */
        get: operations["PipelinesController_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pipelines/{name}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One version of a pipeline */
        get: operations["PipelinesController_version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List datasets, newest first */
        get: operations["DatasetsController_list"];
        put?: never;
        /** Upload a list of any size, streamed, optionally packed with gzip */
        post: operations["DatasetsController_upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One dataset */
        get: operations["DatasetsController_get"];
        put?: never;
        post?: never;
        /** Remove a dataset; refused while an execution refers to it */
        delete: operations["DatasetsController_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets/{id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Items of a dataset, in order; a page ends early at 4 MiB */
        get: operations["DatasetsController_items"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pipelines/{name}/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start an execution */
        post: operations["ExecutionsController_start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List executions: top-level ones, newest first, or those of a parent or below a root */
        get: operations["ExecutionsController_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One execution; with wait, answers when it has settled or after that time */
        get: operations["ExecutionsController_get"];
        put?: never;
        post?: never;
        /** Remove a settled top-level execution with everything below it */
        delete: operations["ExecutionsController_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop new claims; what runs ends and keeps its result */
        post: operations["ControlController_pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Go on after a pause */
        post: operations["ControlController_resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let one child, with all below it, run although it stands under a pause */
        post: operations["ControlController_release"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel; after the answer no new task starts anywhere below */
        post: operations["ControlController_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run the failed nodes again, or those from a node on */
        post: operations["ControlController_retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/redrive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run failed children of a fan-out again */
        post: operations["ControlController_redrive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/fan-outs/{node}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the limits of a fan-out, in force at once */
        patch: operations["ControlController_patch"];
        trace?: never;
    };
    "/v1/executions/{id}/fan-outs/{node}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start nothing more of one fan-out; the other branches go on */
        post: operations["ControlController_pauseFanOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/fan-outs/{node}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Go on with a fan-out after a pause */
        post: operations["ControlController_resumeFanOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/fan-outs/{node}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel what of a fan-out has not settled; its merge judges by its tolerance */
        post: operations["ControlController_cancelFanOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/signals/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a signal; it is kept if nobody waits for it yet */
        post: operations["ControlController_signal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/children": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Children in item order */
        get: operations["ChildrenController_children"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/lineage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ancestors from the root down, and counts of everything below */
        get: operations["ChildrenController_lineage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Why it is not progressing */
        get: operations["ChildrenController_reason"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Failed children, grouped by cause */
        get: operations["ChildrenController_failures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The event log, numbered without gaps */
        get: operations["HistoryController_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every attempt of every task, in the order they started */
        get: operations["HistoryController_attempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Log lines, in order */
        get: operations["HistoryController_logs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Results in item order, one line of JSON each */
        get: operations["ResultsController_results"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/failed-items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The failed items, in the format of their dataset, fit to be uploaded again */
        get: operations["ResultsController_failed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Notices of its outcomes, in their order: to whom, and whether they were delivered */
        get: operations["NoticesController_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executions/{id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow an execution: snapshot, then state, node, progress, log and end frames */
        get: operations["StreamController_follow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/destinations/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One destination */
        get: operations["DestinationsController_get"];
        /** Say what a destination allows; in force at once on every executor */
        put: operations["DestinationsController_put"];
        post?: never;
        /** Lift the limits of a destination */
        delete: operations["DestinationsController_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/destinations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Destinations by name, with what they hold right now */
        get: operations["DestinationsController_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/destinations/{name}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start no call there any more; what runs ends */
        post: operations["DestinationsController_pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/destinations/{name}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Call it again */
        post: operations["DestinationsController_resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/destinations/{name}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel what now waits for it or calls it */
        post: operations["DestinationsController_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pressure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is against the beginning of more fan-outs now: budgets, lag, an alarm, an operator */
        get: operations["PressureController_list"];
        /** Hold back fan-outs that have not begun, until this is lifted */
        put: operations["PressureController_put"];
        post?: never;
        /** Let them begin */
        delete: operations["PressureController_lift"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/quotas/{scope}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The quota of a scope */
        get: operations["QuotasController_get"];
        /** Bound how many executions may be open: of all, or of a pipeline */
        put: operations["QuotasController_put"];
        post?: never;
        /** Lift a quota */
        delete: operations["QuotasController_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Quotas by scope */
        get: operations["QuotasController_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Schedules by name */
        get: operations["SchedulesController_list"];
        put?: never;
        /** Start executions of a pipeline by the clock */
        post: operations["SchedulesController_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A schedule: when it starts next, and what it started last */
        get: operations["SchedulesController_get"];
        put?: never;
        post?: never;
        /** Remove a schedule; what it started goes on */
        delete: operations["SchedulesController_remove"];
        options?: never;
        head?: never;
        /** Change a schedule; times that passed while it was disabled are not made up for */
        patch: operations["SchedulesController_change"];
        trace?: never;
    };
    "/v1/triggers/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A trigger, and what became of its messages */
        get: operations["TriggersController_get"];
        /** Start an execution of a pipeline with each message of a RabbitMQ queue */
        put: operations["TriggersController_put"];
        post?: never;
        /** Stop consuming; the queue stays, and what was started goes on */
        delete: operations["TriggersController_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/triggers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Triggers by name */
        get: operations["TriggersController_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/triggers/{name}/refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Messages that never become executions, with the reason, newest first */
        get: operations["TriggersController_refused"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/executors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Executor incarnations, newest first */
        get: operations["OperationsController_executors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/backlog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The backlog curve: work that waits and work that runs, per queue */
        get: operations["OperationsController_backlog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List keys */
        get: operations["ApiKeysController_list"];
        put?: never;
        /** Make a key; its secret is shown this once */
        post: operations["ApiKeysController_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a key */
        delete: operations["ApiKeysController_end"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who changed what, newest first */
        get: operations["AuditController_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Executor: {
            id: string;
            name: string;
            /** @enum {string} */
            state: "LIVE" | "DRAINING" | "LOST" | "ENDED";
            slots: number;
            freeSlots: number;
            queues: string[];
            handlers: string[];
            leaseMs: number;
            heartbeatMs: number;
            host: string | null;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            seenAt: string;
            endedAt: string | null;
            running: number;
        };
        BacklogPoint: {
            /** Format: date-time */
            at: string;
            queue: string;
            pending: number;
            ready: number;
            running: number;
        };
        Pressure: {
            kind: string;
            detail: string;
            /** Format: date-time */
            since: string;
        };
        Quota: {
            scope: string;
            maxOpenExecutions: number | null;
            maxChildrenPerFanOut: number | null;
        };
        ApiKey: {
            id: string;
            name: string;
            /** @enum {string} */
            role: "viewer" | "operator" | "admin";
            /** Format: date-time */
            createdAt: string;
        };
        NewApiKey: {
            id: string;
            name: string;
            /** @enum {string} */
            role: "viewer" | "operator" | "admin";
            /** Format: date-time */
            createdAt: string;
            secret: string | null;
        };
        AuditEntry: {
            id: string;
            /** Format: date-time */
            at: string;
            actor: string;
            action: string;
            target: string;
            data: unknown;
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            code: string;
            detail: string;
            errors: {
                path: string;
                message: string;
            }[];
        } & {
            [key: string]: unknown;
        };
        /** @enum {string} */
        ExecutionState: "PENDING" | "READY" | "RUNNING" | "PAUSED" | "SUCCEEDED" | "FAILED" | "CANCELLED";
        /** @enum {string} */
        NodeType: "HTTP" | "SHELL" | "SCRIPT" | "HANDLER" | "TRANSFORM" | "SPAWNER" | "MERGE" | "WAIT" | "SIGNAL" | "PIPELINE";
        Failure: {
            /** @enum {string} */
            class: "PERMANENT" | "TRANSIENT" | "TIMEOUT" | "EXECUTOR_LOST" | "TOLERANCE_EXCEEDED" | "QUOTA_EXCEEDED" | "CANCELLED";
            code: string;
            message: string;
            nodeId?: string;
            attempt?: number;
            status?: number;
            body?: string;
        } & {
            [key: string]: unknown;
        };
        ExecutionRow: {
            id: string;
            pipeline: {
                name: string;
                version: number;
            };
            node: string | null;
            state: components["schemas"]["ExecutionState"];
            parentId: string | null;
            rootId: string;
            spawnedBy: string | null;
            itemIndex: number | null;
            itemKey: string | null;
            key: string | null;
            error: components["schemas"]["Failure"] | null;
            fingerprint: string | null;
            labels: {
                [key: string]: string;
            };
            priority: number;
            attempt: number;
            traceId: string | null;
            /** Format: date-time */
            createdAt: string;
            startedAt: string | null;
            finishedAt: string | null;
            openDescendants: number;
            input?: unknown;
            output?: unknown;
        };
        NodeOfExecution: {
            id: string;
            type: components["schemas"]["NodeType"];
            /** @enum {string} */
            state: "PENDING" | "READY" | "RUNNING" | "WAITING" | "SUCCEEDED" | "FAILED" | "CANCELLED" | "SKIPPED";
            attempt: number;
            startedAt: string | null;
            finishedAt: string | null;
            availableAt: string | null;
            error: components["schemas"]["Failure"] | null;
        };
        FanOut: {
            nodeId: string;
            childPipeline: string;
            generation: number;
            round: number;
            total: number | null;
            spawned: number;
            sealed: boolean;
            pending: number;
            ready: number;
            running: number;
            paused: number;
            succeeded: number;
            failed: number;
            cancelled: number;
            /** @enum {string} */
            verdict: "OPEN" | "PASSED" | "FAILED";
            attached: number;
            maxConcurrency: number | null;
            pausedAt: string | null;
            cancelledAt: string | null;
            deferredUntil: string | null;
            deferredReason: string | null;
            rollout: {
                stage: number;
                stages: number;
                released: number;
                stopped: {
                    failed: number;
                    allowed: string;
                } | null;
            } | null;
        };
        Execution: {
            id: string;
            pipeline: {
                name: string;
                version: number;
            };
            node: string | null;
            state: components["schemas"]["ExecutionState"];
            parentId: string | null;
            rootId: string;
            spawnedBy: string | null;
            itemIndex: number | null;
            itemKey: string | null;
            key: string | null;
            error: components["schemas"]["Failure"] | null;
            fingerprint: string | null;
            labels: {
                [key: string]: string;
            };
            priority: number;
            attempt: number;
            traceId: string | null;
            /** Format: date-time */
            createdAt: string;
            startedAt: string | null;
            finishedAt: string | null;
            openDescendants: number;
            input: unknown;
            output: unknown;
            nodes: components["schemas"]["NodeOfExecution"][];
            fanOuts: components["schemas"]["FanOut"][];
        };
        Redriven: {
            matched: number;
            redriven: number;
        };
        Lineage: {
            ancestors: {
                id: string;
                pipeline: {
                    name: string;
                    version: number;
                };
                state: components["schemas"]["ExecutionState"];
                nodeId: string | null;
                itemIndex: number | null;
            }[];
            descendants: {
                PENDING: number;
                READY: number;
                RUNNING: number;
                PAUSED: number;
                SUCCEEDED: number;
                FAILED: number;
                CANCELLED: number;
            };
        };
        Why: {
            reason: string;
            detail: string;
            nodeId?: string;
            /** Format: date-time */
            until?: string;
            destination?: string;
            limit?: string;
        };
        FailureGroup: {
            fingerprint: string;
            class: string | null;
            code: string | null;
            status: number | null;
            message: string | null;
            sample: {
                id: string;
                error: components["schemas"]["Failure"] | null;
            };
            count: number;
        };
        ResultLine: {
            index: number;
            key: string | null;
            state: components["schemas"]["ExecutionState"];
            output?: unknown;
            error?: components["schemas"]["Failure"];
        };
        Plan: {
            nodes: {
                id: string;
                type: components["schemas"]["NodeType"];
                rank: number;
                inDegree: number;
                criticalPath: number;
            }[];
            edges: {
                from: string;
                to: string;
            }[];
            criticalPath: string[];
        };
        PublishedPipeline: {
            name: string;
            version: number;
            /** Format: date-time */
            createdAt: string;
            plan: components["schemas"]["Plan"];
        };
        PipelineRow: {
            name: string;
            version: number;
            enabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            publishedAt: string;
        };
        Pipeline: {
            name: string;
            version: number;
            enabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            publishedAt: string;
            definition: unknown;
            plan: components["schemas"]["Plan"] | null;
        };
        PipelineVersionRow: {
            name: string;
            version: number;
            /** Format: date-time */
            createdAt: string;
        };
        PipelineVersion: {
            name: string;
            version: number;
            /** Format: date-time */
            createdAt: string;
            definition: unknown;
            plan: components["schemas"]["Plan"] | null;
        };
        Dataset: {
            id: string;
            name: string;
            /** @enum {string} */
            format: "csv" | "ndjson" | "json";
            columns: string[] | null;
            separator?: string;
            itemCount: number;
            bytes: number;
            sha256: string;
            /** Format: date-time */
            createdAt: string;
        };
        Destination: {
            name: string;
            match: {
                host: string;
            } | null;
            maxConcurrency: number | null;
            rate: {
                limit: number;
                /** @enum {string} */
                per: "1s" | "1m" | "1h";
                burst?: number;
            } | null;
            adaptive: boolean;
            implicit: boolean;
            inUse: number;
            waiting: number;
            limit: number | null;
            rateState: {
                available: number;
                nextAt: string | null;
            } | null;
            adaptiveLimit: number | null;
            throttledUntil: string | null;
            pausedAt: string | null;
            /** @enum {string} */
            breaker: "CLOSED" | "OPEN" | "HALF_OPEN";
            breakerUntil: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Schedule: {
            name: string;
            pipeline: string;
            version: number | null;
            cron: string;
            timeZone: string;
            input: unknown;
            labels: {
                [key: string]: string;
            };
            priority: number;
            overlap: string;
            missed: string;
            missedLimit: number;
            enabled: boolean;
            nextRunAt: string | null;
            lastRunAt: string | null;
            lastExecutionId: string | null;
            lastError: components["schemas"]["Failure"] | null;
            waiting: number;
            skipped: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Trigger: {
            name: string;
            pipeline: string;
            version: number | null;
            queue: string;
            exchange: string | null;
            routingKey: string | null;
            labels: {
                [key: string]: string;
            };
            priority: number;
            enabled: boolean;
            received: number;
            started: number;
            duplicates: number;
            refused: number;
            lastError: unknown;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        RefusedMessage: {
            id: string;
            messageId: string | null;
            reason: unknown;
            bytes: number;
            /** @enum {string} */
            encoding: "utf8" | "base64";
            body: string;
            /** Format: date-time */
            at: string;
        };
        ExecutionEvent: {
            seq: number;
            type: string;
            /** Format: date-time */
            at: string;
            nodeId?: string;
            attempt?: number;
            executor?: string;
            data: {
                [key: string]: unknown;
            };
        };
        Attempt: {
            nodeId: string;
            node: string;
            attempt: number;
            number: number;
            charged: boolean | null;
            executor: string | null;
            /** Format: date-time */
            startedAt: string;
            finishedAt: string | null;
            outcome: string | null;
            error: components["schemas"]["Failure"] | null;
        };
        LogLine: {
            n: number;
            /** Format: date-time */
            at: string;
            level: string;
            nodeId: string | null;
            attempt: number;
            message: string;
            fields: {
                [key: string]: unknown;
            };
        };
        Notice: {
            id: string;
            on: string;
            round: number;
            url: string | null;
            state: string;
            attempts: number;
            /** Format: date-time */
            at: string;
            dueAt: string | null;
            finishedAt: string | null;
            error: components["schemas"]["Failure"] | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Executor = components['schemas']['Executor'];
export type BacklogPoint = components['schemas']['BacklogPoint'];
export type Pressure = components['schemas']['Pressure'];
export type Quota = components['schemas']['Quota'];
export type ApiKey = components['schemas']['ApiKey'];
export type NewApiKey = components['schemas']['NewApiKey'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type Problem = components['schemas']['Problem'];
export type ExecutionState = components['schemas']['ExecutionState'];
export type NodeType = components['schemas']['NodeType'];
export type Failure = components['schemas']['Failure'];
export type ExecutionRow = components['schemas']['ExecutionRow'];
export type NodeOfExecution = components['schemas']['NodeOfExecution'];
export type FanOut = components['schemas']['FanOut'];
export type Execution = components['schemas']['Execution'];
export type Redriven = components['schemas']['Redriven'];
export type Lineage = components['schemas']['Lineage'];
export type Why = components['schemas']['Why'];
export type FailureGroup = components['schemas']['FailureGroup'];
export type ResultLine = components['schemas']['ResultLine'];
export type Plan = components['schemas']['Plan'];
export type PublishedPipeline = components['schemas']['PublishedPipeline'];
export type PipelineRow = components['schemas']['PipelineRow'];
export type Pipeline = components['schemas']['Pipeline'];
export type PipelineVersionRow = components['schemas']['PipelineVersionRow'];
export type PipelineVersion = components['schemas']['PipelineVersion'];
export type Dataset = components['schemas']['Dataset'];
export type Destination = components['schemas']['Destination'];
export type Schedule = components['schemas']['Schedule'];
export type Trigger = components['schemas']['Trigger'];
export type RefusedMessage = components['schemas']['RefusedMessage'];
export type ExecutionEvent = components['schemas']['ExecutionEvent'];
export type Attempt = components['schemas']['Attempt'];
export type LogLine = components['schemas']['LogLine'];
export type Notice = components['schemas']['Notice'];
export type $defs = Record<string, never>;
export interface operations {
    PipelinesController_list: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["PipelineRow"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    PipelinesController_publish: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    nodes: unknown[];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedPipeline"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedPipeline"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    PipelinesController_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pipeline"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    PipelinesController_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    PipelinesController_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    enabled: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pipeline"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    PipelinesController_versions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["PipelineVersionRow"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    PipelinesController_version: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PipelineVersion"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    DatasetsController_list: {
        parameters: {
            query?: {
                name?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Dataset"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    DatasetsController_upload: {
        parameters: {
            query: {
                name: string;
                format?: "csv" | "ndjson" | "json";
                separator?: string;
            };
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
                "application/x-ndjson": string;
                "application/json": string;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dataset"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    DatasetsController_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dataset"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    DatasetsController_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    DatasetsController_items: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: unknown[];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ExecutionsController_start: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    input?: unknown;
                    labels?: {
                        [key: string]: string;
                    };
                    /** @default 5 */
                    priority?: number;
                    version?: number;
                    key?: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ExecutionsController_list: {
        parameters: {
            query?: {
                pipeline?: string;
                state?: string | string[];
                label?: string | string[];
                parent?: string;
                root?: string;
                since?: string;
                include?: string | string[];
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ExecutionRow"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ExecutionsController_get: {
        parameters: {
            query?: {
                wait?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ExecutionsController_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ControlController_pause: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default true */
                    cascade?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ControlController_resume: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default true */
                    cascade?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ControlController_release: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ControlController_cancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default true */
                    cascade?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ControlController_retry: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    from?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ControlController_redrive: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @default [
                     *       "FAILED"
                     *     ]
                     */
                    state?: ("FAILED" | "CANCELLED")[];
                    node?: string;
                    fingerprint?: string;
                    /** @enum {string} */
                    class?: "PERMANENT" | "TRANSIENT" | "TIMEOUT" | "EXECUTOR_LOST" | "TOLERANCE_EXCEEDED" | "QUOTA_EXCEEDED" | "CANCELLED";
                    itemIndexes?: number[];
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redriven"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ControlController_patch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                node: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    maxConcurrency?: number | null;
                    failureTolerance?: {
                        maxFailureRatio?: number;
                        maxFailureCount?: number;
                    };
                    priority?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ControlController_pauseFanOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                node: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ControlController_resumeFanOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                node: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ControlController_cancelFanOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                node: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ControlController_signal: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ChildrenController_children: {
        parameters: {
            query?: {
                node?: string;
                state?: string | string[];
                fingerprint?: string;
                q?: string;
                include?: string | string[];
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ExecutionRow"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ChildrenController_lineage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lineage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ChildrenController_reason: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Why"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ChildrenController_failures: {
        parameters: {
            query?: {
                node?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["FailureGroup"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    HistoryController_events: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ExecutionEvent"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    HistoryController_attempts: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Attempt"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    HistoryController_logs: {
        parameters: {
            query?: {
                after?: string;
                attempt?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["LogLine"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ResultsController_results: {
        parameters: {
            query?: {
                node?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ResultsController_failed: {
        parameters: {
            query?: {
                node?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/json": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    NoticesController_list: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Notice"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    StreamController_follow: {
        parameters: {
            query?: {
                logs?: "0" | "1" | "true" | "false";
            };
            header?: {
                /** @description resume after this event */
                "Last-Event-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    DestinationsController_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Destination"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    DestinationsController_put: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    match?: {
                        host?: string;
                    };
                    maxConcurrency?: number | null;
                    rate?: {
                        limit: number;
                        /** @enum {string} */
                        per: "1s" | "1m" | "1h";
                        burst?: number;
                    } | null;
                    /** @default false */
                    adaptive?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Destination"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Destination"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    DestinationsController_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    DestinationsController_list: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Destination"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    DestinationsController_pause: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Destination"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    DestinationsController_resume: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Destination"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    DestinationsController_cancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Destination"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    PressureController_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Pressure"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    PressureController_put: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pressure"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    PressureController_lift: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    QuotasController_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                scope: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quota"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    QuotasController_put: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                scope: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default null */
                    maxOpenExecutions?: number | null;
                    /** @default null */
                    maxChildrenPerFanOut?: number | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quota"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    QuotasController_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                scope: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    QuotasController_list: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Quota"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    SchedulesController_list: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Schedule"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    SchedulesController_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    pipeline: string;
                    /** @default null */
                    version?: number | null;
                    cron: string;
                    /** @default UTC */
                    timeZone?: string;
                    /** @default 5 */
                    priority?: number;
                    /**
                     * @default SKIP
                     * @enum {string}
                     */
                    overlap?: "SKIP" | "QUEUE" | "CANCEL_PREVIOUS";
                    /**
                     * @default SKIP
                     * @enum {string}
                     */
                    missed?: "SKIP" | "RUN_ONCE" | "RUN_ALL";
                    /** @default 10 */
                    missedLimit?: number;
                    /** @default true */
                    enabled?: boolean;
                    name: string;
                    input?: unknown;
                    labels?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    SchedulesController_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    SchedulesController_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    SchedulesController_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    pipeline?: string;
                    /** @default null */
                    version?: number | null;
                    cron?: string;
                    /** @default UTC */
                    timeZone?: string;
                    /** @default 5 */
                    priority?: number;
                    /**
                     * @default SKIP
                     * @enum {string}
                     */
                    overlap?: "SKIP" | "QUEUE" | "CANCEL_PREVIOUS";
                    /**
                     * @default SKIP
                     * @enum {string}
                     */
                    missed?: "SKIP" | "RUN_ONCE" | "RUN_ALL";
                    /** @default 10 */
                    missedLimit?: number;
                    /** @default true */
                    enabled?: boolean;
                    input?: unknown;
                    labels?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    TriggersController_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trigger"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    TriggersController_put: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    pipeline: string;
                    /** @default null */
                    version?: number | null;
                    queue: string;
                    /** @default null */
                    exchange?: string | null;
                    /** @default null */
                    routingKey?: string | null;
                    /** @default 5 */
                    priority?: number;
                    /** @default true */
                    enabled?: boolean;
                    labels?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trigger"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trigger"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    TriggersController_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    TriggersController_list: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Trigger"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    TriggersController_refused: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["RefusedMessage"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    OperationsController_executors: {
        parameters: {
            query?: {
                state?: string | string[];
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Executor"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    OperationsController_backlog: {
        parameters: {
            query?: {
                from?: string;
                step?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["BacklogPoint"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ApiKeysController_list: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ApiKey"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ApiKeysController_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "viewer" | "operator" | "admin";
                    /** @default  */
                    name?: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ApiKeysController_end: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    AuditController_list: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AuditEntry"][];
                        nextCursor: string | null;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
