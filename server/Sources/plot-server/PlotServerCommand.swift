internal import ArgumentParser

@main
struct PlotServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot-server",
    abstract: "Publish campaign feeds to devices, and take their events.",
    discussion: "docs/server.md says how it is run; docs/sync-protocol.md says what devices and it say to each other.",
    subcommands: [
      ServeCommand.self, AppCommand.self, KeyCommand.self, PersonCommand.self, PublishCommand.self,
      RollbackCommand.self, SignCommand.self,
      PublicationsCommand.self, StatisticsCommand.self, ExportCommand.self, ImportCommand.self, ApplyCommand.self,
      BackupCommand.self,
      RestoreCommand.self, MoveCommand.self, MigrateCommand.self,
    ])
}
